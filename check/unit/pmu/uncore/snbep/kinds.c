/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore of the Xeon E5-2600: values of control registers, events against libpfm4's, and which
 * package a node is. */
#include <perfmon/pfmlib.h>
#include <stdlib.h>

#include "check/unit/host.h"
#include "check/unit/tap.h"
#include "pmu/uncore/snbep/snbep.h"

static const struct snbep_kind *kind_of(uint32_t bit)
{
	return &snbep_kinds[field_shift(bit)];
}

#define ENCODED(kind, want, ...)                                                                   \
	OK(snbep_encode(kind_of(kind), &(struct snbep_config){__VA_ARGS__}) == (want))

/* ---- worked examples ---- */

static void test_examples(void)
{
	ENCODED(SNBEP_CBO, 0x00400000, .event = 0);
	ENCODED(SNBEP_CBO, 0x00400334, CBO_LLC_LOOKUP_DATA_READ);
	ENCODED(SNBEP_CBO, 0x00400135, CBO_TOR_INSERTS_OPCODE);
	ENCODED(SNBEP_CBO, 0x00400335, CBO_TOR_INSERTS_MISS);
	ENCODED(SNBEP_CBO, 0x00404335, CBO_TOR_INSERTS_NID_MISS);
	ENCODED(SNBEP_CBO, 0x00480335, CBO_TOR_INSERTS_MISS, .tid = true);
	ENCODED(SNBEP_CBO, 0x00400836, CBO_TOR_OCCUPANCY_ALL);
	ENCODED(SNBEP_CBO, 0x0140001f, CBO_COUNTER0_OCCUPANCY, .at_least = 1);
	ENCODED(SNBEP_CBO, 0x01c0001f, CBO_COUNTER0_OCCUPANCY, .below = 1);
	ENCODED(SNBEP_CBO, 0x0144001f, CBO_COUNTER0_OCCUPANCY, .at_least = 1, .edge = true);
	ENCODED(SNBEP_IMC, 0x00400304, IMC_CAS_COUNT_RD);
	ENCODED(SNBEP_IMC, 0x00400c04, IMC_CAS_COUNT_WR);
	ENCODED(SNBEP_IMC, 0x00400f04, IMC_CAS_COUNT_ALL);
	ENCODED(SNBEP_HA, 0x00400301, HA_REQUESTS_READS);
	ENCODED(SNBEP_HA, 0x00400c01, HA_REQUESTS_WRITES);
	ENCODED(SNBEP_PCU, 0x00400000, PCU_CLOCKTICKS);
	ENCODED(SNBEP_PCU, 0x00404080, PCU_CORES_C0);
	ENCODED(SNBEP_PCU, 0x04404080, PCU_CORES_C0, .at_least = 4);
	ENCODED(SNBEP_PCU, 0x4140c080, PCU_CORES_C6, .below = 1);
	ENCODED(SNBEP_PCU, 0x05404080, PCU_CORES_C0, .at_least = 5);
	ENCODED(SNBEP_PCU, 0x85404080, PCU_CORES_C0, .at_least = 5, .edge = true);
	ENCODED(SNBEP_PCU, 0x05404083, .event = 0x83, .unit_mask = 0x40, .at_least = 5);
	ENCODED(SNBEP_PCU, 0x00600000, PCU_FREQ_TRANS_CYCLES);
	ENCODED(SNBEP_PCU, 0x01c4000b, PCU_FREQ_BAND0_CYCLES, .below = 1, .edge = true);
	ENCODED(SNBEP_UBOX, 0x00400142, .event = 0x42, .unit_mask = 1);
	ENCODED(SNBEP_QPI, 0x00600802, .event = 0x02 | SNBEP_EXT, .unit_mask = 8);
	ENCODED(SNBEP_QPI, 0x00600038, QPI_CTO_COUNT);
	ENCODED(SNBEP_R2PCIE, 0x00400001, .event = kind_of(SNBEP_R2PCIE)->clock_event);
	ENCODED(SNBEP_R3QPI, 0x00400001, .event = kind_of(SNBEP_R3QPI)->clock_event);
	ENCODED(SNBEP_QPI, 0x00400014, .event = kind_of(SNBEP_QPI)->clock_event);
}

static void test_filters(void)
{
	OK(field_put(CBO_FILTER_STATE, 0x1f) == 0x007c0000);
	OK(field_put(CBO_FILTER_OPC, CBO_OPC_DRD) == 0xc1000000);
	OK((field_put(CBO_FILTER_OPC, CBO_OPC_DRD) | field_put(CBO_FILTER_NID, 1)) == 0xc1000400);
	OK((field_put(CBO_FILTER_OPC, CBO_OPC_DRD) | field_put(CBO_FILTER_TID, 7)) == 0xc1000007);
	OK(QPI_PKT_0_FIELDS == 0x8003fff8);
	OK(QPI_PKT_1_FIELDS == 0x000f000f);
}

/* ---- what a kind of box cannot do ---- */

struct wrong {
	uint32_t kind;
	struct snbep_config config;
};

static void encode(void *arg)
{
	const struct wrong *wrong = arg;

	snbep_encode(kind_of(wrong->kind), &wrong->config);
}

static void test_refused(void)
{
	static struct wrong wrong[] = {
		{SNBEP_IMC, {.event = SNBEP_EXT}},
		{SNBEP_CBO, {.event = SNBEP_EXT}},
		{SNBEP_PCU, {.unit_mask = 1}},
		{SNBEP_PCU, {.at_least = 32}},
		{SNBEP_UBOX, {.at_least = 32}},
		{SNBEP_HA, {.tid = true}},
		{SNBEP_R2PCIE, {.event = 2 * SNBEP_EXT}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		OK(host_panics(encode, &wrong[i]));
}

/* ---- libpfm4 ---- */

struct row {
	uint32_t kind;
	const char *pmu, *name;
	struct snbep_config config;
};

static const struct row rows[] = {
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_CAS_COUNT:RD", {IMC_CAS_COUNT_RD}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_CAS_COUNT:WR", {IMC_CAS_COUNT_WR}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_CAS_COUNT:ALL", {IMC_CAS_COUNT_ALL}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_RPQ_INSERTS", {IMC_RPQ_INSERTS}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_WPQ_INSERTS", {IMC_WPQ_INSERTS}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_RPQ_CYCLES_NE", {IMC_RPQ_CYCLES_NE}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_RPQ_OCCUPANCY", {IMC_RPQ_OCCUPANCY}},
	{SNBEP_IMC, "snbep_unc_imc0", "UNC_M_ECC_CORRECTABLE_ERRORS", {IMC_ECC_CORRECTABLE_ERRORS}},
	{SNBEP_HA, "snbep_unc_ha", "UNC_H_CLOCKTICKS", {.event = 0}},
	{SNBEP_HA, "snbep_unc_ha", "UNC_H_REQUESTS:READS", {HA_REQUESTS_READS}},
	{SNBEP_HA, "snbep_unc_ha", "UNC_H_REQUESTS:WRITES", {HA_REQUESTS_WRITES}},
	{SNBEP_HA, "snbep_unc_ha", "UNC_H_IMC_WRITES:FULL", {HA_IMC_WRITES_FULL}},
	{SNBEP_HA, "snbep_unc_ha", "UNC_H_IMC_WRITES:PARTIAL", {HA_IMC_WRITES_PARTIAL}},
	{SNBEP_HA, "snbep_unc_ha", "UNC_H_IMC_WRITES:ALL", {HA_IMC_WRITES_ALL}},
	{SNBEP_QPI, "snbep_unc_qpi0", "UNC_Q_CLOCKTICKS", {.event = 0x14}},
	{SNBEP_QPI, "snbep_unc_qpi0", "UNC_Q_TXL_FLITS_G0:IDLE", {QPI_TXL_FLITS_G0_IDLE}},
	{SNBEP_QPI, "snbep_unc_qpi0", "UNC_Q_TXL_FLITS_G0:DATA", {QPI_TXL_FLITS_G0_DATA}},
	{SNBEP_QPI, "snbep_unc_qpi0", "UNC_Q_TXL_FLITS_G0:NON_DATA", {QPI_TXL_FLITS_G0_NON_DATA}},
	{SNBEP_QPI, "snbep_unc_qpi0", "UNC_Q_TXL_FLITS_G1:SNP", {QPI_TXL_FLITS_G1_SNP}},
	{SNBEP_R2PCIE, "snbep_unc_r2pcie", "UNC_R2_CLOCKTICKS", {.event = 1}},
	{SNBEP_R2PCIE, "snbep_unc_r2pcie", "UNC_R2_RING_IV_USED:ANY", {RING_IV_USED_ANY}},
	{SNBEP_R3QPI, "snbep_unc_r3qpi0", "UNC_R3_CLOCKTICKS", {.event = 1}},
	{SNBEP_R3QPI, "snbep_unc_r3qpi0", "UNC_R3_RING_IV_USED:ANY", {RING_IV_USED_ANY}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_CLOCKTICKS", {.event = 0}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_COUNTER0_OCCUPANCY", {CBO_COUNTER0_OCCUPANCY}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_LLC_LOOKUP:DATA_READ", {CBO_LLC_LOOKUP_DATA_READ}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_LLC_LOOKUP:WRITE", {CBO_LLC_LOOKUP_WRITE}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", {CBO_TOR_INSERTS_OPCODE}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_TOR_INSERTS:WB", {CBO_TOR_INSERTS_WB}},
	{SNBEP_CBO,
	 "snbep_unc_cbo0",
	 "UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD",
	 {CBO_TOR_INSERTS_MISS}},
	{SNBEP_CBO,
	 "snbep_unc_cbo0",
	 "UNC_C_TOR_INSERTS:NID_MISS_OPCODE:OPC_DRD:nf=1",
	 {CBO_TOR_INSERTS_NID_MISS}},
	{SNBEP_CBO, "snbep_unc_cbo0", "UNC_C_TOR_OCCUPANCY:ALL", {CBO_TOR_OCCUPANCY_ALL}},
	{SNBEP_CBO,
	 "snbep_unc_cbo0",
	 "UNC_C_TOR_OCCUPANCY:ALL:t=4:i:e",
	 {CBO_TOR_OCCUPANCY_ALL, .below = 4, .edge = true}},
	{SNBEP_PCU, "snbep_unc_pcu", "UNC_P_CLOCKTICKS", {PCU_CLOCKTICKS}},
	{SNBEP_PCU, "snbep_unc_pcu", "UNC_P_FREQ_BAND0_CYCLES:ff=1", {PCU_FREQ_BAND0_CYCLES}},
	{SNBEP_PCU, "snbep_unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0", {PCU_CORES_C0}},
	{SNBEP_PCU, "snbep_unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C3", {PCU_CORES_C3}},
	{SNBEP_PCU, "snbep_unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", {PCU_CORES_C6}},
	{SNBEP_PCU,
	 "snbep_unc_pcu",
	 "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0:t=5:i:e",
	 {PCU_CORES_C0, .below = 5, .edge = true}},
	{SNBEP_UBOX, "snbep_unc_ubo", "UNC_U_EVENT_MSG:VLW_RCVD", {UBOX_EVENT_MSG_VLW_RCVD}},
	{SNBEP_UBOX, "snbep_unc_ubo", "UNC_U_LOCK_CYCLES", {UBOX_LOCK_CYCLES}},
};

/* It leaves the enable bit to the kernel. */
static void check_row(const struct row *row)
{
	uint64_t *codes = NULL;
	char full[120];
	int count = 0;
	uint32_t ours = snbep_encode(kind_of(row->kind), &row->config) & ~(uint32_t)CTL_EN;

	snprintf(full, sizeof(full), "%s::%s", row->pmu, row->name);
	if (!OK(pfm_get_event_encoding(full, PFM_PLM3, NULL, NULL, &codes, &count) == PFM_SUCCESS))
		printf("# %s\n", full);
	else if (!OK((codes[0] & ~CTL_EN) == ours))
		printf("# %s: theirs %llx, ours %x\n", full, (unsigned long long)codes[0], ours);
	free(codes);
}

/* ---- counters of two dwords ---- */

/* Counts on between two reads: at the read whose number is carry_at. */
static uint64_t counter;
static unsigned reads, carry_at;

static uint32_t get_dword(const void *arg, uint32_t reg)
{
	(void)arg;
	if (reads++ == carry_at)
		counter++;
	return (uint32_t)(reg == 0xa0 ? counter : counter >> 32);
}

static uint64_t read_split(unsigned carry)
{
	counter = 0xffffffff;
	reads = 0;
	carry_at = carry;
	return pmu_read_split(get_dword, NULL, 0xa0);
}

/* Low then high would give 1FFFFFFFFh, high then low 0. */
static void test_torn_read(void)
{
	for (unsigned carry = 0; carry < 3; carry++)
		OK(read_split(carry) == 0x100000000);
	OK(read_split(3) == 0xffffffff);
}

/* By software, over a counter of 44 bits that wraps. */
static void test_difference(void)
{
	const struct pmu_counter only = {.width = 44};
	const struct pmu pmu = {.counter = &only, .counters = 1};

	OK(((UINT64_C(0x40) - UINT64_C(0xfffffffff00)) & pmu_mask(&pmu, 0)) == 0x140);
}

/* ---- sockets ---- */

static void test_sockets(void)
{
	OK(snbep_socket(0x1, 0x00fac688) == 1);
	OK(snbep_socket(0xf9, 0x00fac688) == 1);
	OK(snbep_socket(0x7, 0x00fac688) == 7);
	OK(snbep_socket(0x0, 0x8) == 0);
	OK(snbep_socket(0x1, 0x8) == 1);
	OK(snbep_socket(0x2, 0x8) == -1);
	OK(snbep_socket(0x2, 0x2) == 0);
}

int main(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS) {
		printf("Bail out! libpfm4 cannot be initialised\n");
		return 2;
	}
	test_examples();
	test_filters();
	test_refused();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(&rows[i]);
	test_torn_read();
	test_difference();
	test_sockets();
	return tap_end();
}
