/* SPDX-License-Identifier: BSD-2-Clause */
/* Start of the packed program, by a firmware that is played here. */
#include "start.h"

#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

/* "program", as gzip -n packs it. */
static const uint8_t member[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
				 0x03, 0x2b, 0x28, 0xca, 0x4f, 0x2f, 0x4a, 0xcc, 0x05,
				 0x00, 0x84, 0x77, 0xed, 0x92, 0x07, 0x00, 0x00, 0x00};
static uint8_t packed[sizeof(member)];

/* What the firmware is to do in a run. */
static struct {
	bool no_memory, no_console, no_loaded_image, no_child_image, shell;
	EFI_STATUS load_status, start_status;
	CHAR16 *exit_data;
} plan;

/* Handles are told apart by their addresses. */
static char own, child, volume, options, parameters, path, child_path;
static EFI_LOADED_IMAGE own_image, child_image;
static char calls[256], printed[256];

static void called(const char *name)
{
	strcat(calls, name);
	strcat(calls, " ");
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, void **buffer)
{
	called(type == EfiLoaderData ? "allocate" : "allocate-wrong");
	if (plan.no_memory)
		return EFI_OUT_OF_RESOURCES;
	*buffer = malloc(size);
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(void *buffer)
{
	called("free");
	free(buffer);
	return EFI_SUCCESS;
}

static bool is_guid(const EFI_GUID *guid, EFI_GUID what)
{
	return !memcmp(guid, &what, sizeof(what));
}

/* UEFI shell specification 2.2, 4: GUID of the shell parameters. */
static bool is_shell_guid(const EFI_GUID *guid)
{
	return is_guid(guid, (EFI_GUID){0x752f3136,
					0x4e16,
					0x4fdc,
					{0xa2, 0x2a, 0xe5, 0xf4, 0x68, 0x12, 0xf4, 0xca}});
}

static void *find(EFI_HANDLE handle, const EFI_GUID *guid)
{
	if (is_guid(guid, (EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID)) {
		if (handle == &own && !plan.no_loaded_image)
			return &own_image;
		if (handle == &child && !plan.no_child_image)
			return &child_image;
	}
	if (is_guid(guid, (EFI_GUID)EFI_LOADED_IMAGE_DEVICE_PATH_PROTOCOL_GUID) && handle == &own)
		return &path;
	if (is_shell_guid(guid) && handle == &own && plan.shell)
		return &parameters;
	return NULL;
}

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, void **interface)
{
	void *found = find(handle, guid);

	if (!found)
		return EFI_UNSUPPORTED;
	*interface = found;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI install(EFI_HANDLE *handle, EFI_GUID *guid, EFI_INTERFACE_TYPE type,
				 void *interface)
{
	bool right = *handle == &child && is_shell_guid(guid) && type == EFI_NATIVE_INTERFACE &&
		     interface == &parameters;

	called(right ? "install" : "install-wrong");
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI uninstall(EFI_HANDLE handle, EFI_GUID *guid, void *interface)
{
	bool right = handle == &child && is_shell_guid(guid) && interface == &parameters;

	called(right ? "uninstall" : "uninstall-wrong");
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI load_image(BOOLEAN policy, EFI_HANDLE parent, EFI_DEVICE_PATH *from,
				    void *source, UINTN size, EFI_HANDLE *image)
{
	bool right = !policy && parent == &own && (char *)from == &path && size == 7 &&
		     !memcmp(source, "program", 7);

	called(right ? "load" : "load-wrong");
	if (!plan.load_status || plan.load_status == EFI_SECURITY_VIOLATION)
		*image = &child;
	child_image = (EFI_LOADED_IMAGE){.FilePath = (EFI_DEVICE_PATH *)&child_path};
	return plan.load_status;
}

static EFI_STATUS EFIAPI unload_image(EFI_HANDLE image)
{
	called(image == &child ? "unload" : "unload-wrong");
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI start_image(EFI_HANDLE image, UINTN *size, CHAR16 **data)
{
	bool right = image == &child && child_image.DeviceHandle == &volume &&
		     child_image.LoadOptions == &options && child_image.LoadOptionsSize == 42 &&
		     child_image.FilePath == (EFI_DEVICE_PATH *)&child_path;

	called(right ? "start" : "start-wrong");
	if (plan.exit_data) {
		*size = 14;
		*data = plan.exit_data;
	}
	return plan.start_status;
}

static EFI_STATUS EFIAPI leave(EFI_HANDLE image, EFI_STATUS status, UINTN size, CHAR16 *data)
{
	bool right = image == &own && status == plan.start_status && size == 14 &&
		     data == plan.exit_data;

	called(right ? "exit" : "exit-wrong");
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI output(SIMPLE_TEXT_OUTPUT_INTERFACE *console, CHAR16 *text)
{
	size_t n = strlen(printed);

	(void)console;
	while (*text && n < sizeof(printed) - 1)
		printed[n++] = (char)*text++;
	printed[n] = '\0';
	return EFI_SUCCESS;
}

/* What start_packed() returns, with plan as set; calls and printed as a result, plan empty. */
static EFI_STATUS run(void)
{
	EFI_BOOT_SERVICES services = {
		.AllocatePool = allocate_pool,
		.FreePool = free_pool,
		.HandleProtocol = handle_protocol,
		.InstallProtocolInterface = install,
		.UninstallProtocolInterface = uninstall,
		.LoadImage = load_image,
		.UnloadImage = unload_image,
		.StartImage = start_image,
		.Exit = leave,
	};
	SIMPLE_TEXT_OUTPUT_INTERFACE console = {.OutputString = output};
	EFI_SYSTEM_TABLE table = {
		.BootServices = &services,
		.ConOut = plan.no_console ? NULL : &console,
	};
	EFI_STATUS status;

	calls[0] = printed[0] = '\0';
	own_image = (EFI_LOADED_IMAGE){
		.DeviceHandle = &volume,
		.FilePath = (EFI_DEVICE_PATH *)&path,
		.LoadOptions = &options,
		.LoadOptionsSize = 42,
	};
	status = start_packed(&own, &table, packed, sizeof(packed));
	memset(&plan, 0, sizeof(plan));
	memcpy(packed, member, sizeof(packed));
	return status;
}

static void test_start(void)
{
	OK(run() == EFI_SUCCESS);
	SAME(calls, "allocate load free start ");
	SAME(printed, "");
	plan.start_status = EFI_ABORTED;
	OK(run() == EFI_ABORTED);
	SAME(calls, "allocate load free start ");
	SAME(printed, "");
}

static void test_shell(void)
{
	plan.shell = true;
	plan.start_status = EFI_INVALID_PARAMETER;
	OK(run() == EFI_INVALID_PARAMETER);
	SAME(calls, "allocate load free install start uninstall ");
}

static void test_exit_data(void)
{
	static CHAR16 data[7];

	plan.exit_data = data;
	plan.start_status = EFI_ABORTED;
	run();
	SAME(calls, "allocate load free start exit ");
}

static void test_damaged(void)
{
	packed[0] ^= 1;
	OK(run() == EFI_LOAD_ERROR);
	SAME(calls, "");
	SAME(printed, "pmutest86: error: this file is damaged, copy it anew\r\n");
	packed[12] ^= 1;
	OK(run() == EFI_LOAD_ERROR);
	SAME(calls, "allocate free ");
	SAME(printed, "pmutest86: error: this file is damaged, copy it anew\r\n");
	packed[20] ^= 1; /* CRC32 */
	OK(run() == EFI_LOAD_ERROR);
	SAME(calls, "allocate free ");
}

static void test_refused(void)
{
	plan.load_status = EFI_SECURITY_VIOLATION;
	OK(run() == EFI_SECURITY_VIOLATION);
	SAME(calls, "allocate load unload free ");
	SAME(printed, "pmutest86: error: Secure Boot refuses what is packed in this file, "
		      "switch it off\r\n");
	plan.load_status = EFI_ACCESS_DENIED;
	OK(run() == EFI_ACCESS_DENIED);
	SAME(calls, "allocate load free ");
	SAME(printed, "pmutest86: error: Secure Boot refuses what is packed in this file, "
		      "switch it off\r\n");
	plan.load_status = EFI_UNSUPPORTED;
	OK(run() == EFI_UNSUPPORTED);
	SAME(calls, "allocate load free ");
	SAME(printed, "pmutest86: error: the firmware does not load what is packed in this "
		      "file\r\n");
}

static void test_poor_firmware(void)
{
	plan.no_memory = true;
	OK(run() == EFI_OUT_OF_RESOURCES);
	SAME(calls, "allocate ");
	SAME(printed, "pmutest86: error: the firmware has not enough memory\r\n");
	plan.no_loaded_image = true;
	OK(run() == EFI_UNSUPPORTED);
	SAME(calls, "");
	plan.no_child_image = true;
	OK(run() == EFI_UNSUPPORTED);
	SAME(calls, "allocate load free unload ");
	plan.no_console = true;
	plan.load_status = EFI_UNSUPPORTED;
	OK(run() == EFI_UNSUPPORTED);
}

int main(void)
{
	memcpy(packed, member, sizeof(packed));
	test_start();
	test_shell();
	test_exit_data();
	test_damaged();
	test_refused();
	test_poor_firmware();
	return tap_end();
}
