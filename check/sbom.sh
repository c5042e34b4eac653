# SPDX-License-Identifier: BSD-2-Clause
# For dist.sh, after lib.sh: what the files of a release consist of, as an SPDX document of version 2.3 in its tag-value
# form.
# shellcheck shell=sh disable=SC2154 # name, version and id come from dist.sh

# debian_version PACKAGE: what is built with is what is installed.
debian_version()
{
	dpkg-query --showformat='${Version}' --show "$1" || die "the version of the Debian package $1 is not known"
}

# sbom_package ID NAME VERSION LICENCE COPYRIGHT URL
sbom_package()
{
	cat <<-SPDX

	PackageName: $2
	SPDXID: SPDXRef-$1
	PackageVersion: $3
	PackageDownloadLocation: $6
	FilesAnalyzed: false
	PackageLicenseConcluded: $4
	PackageLicenseDeclared: $4
	PackageCopyrightText: <text>$5</text>
	SPDX
}

# sbom_debian ID BINARY SOURCE LICENCE COPYRIGHT: a package of Debian's, under the name of its source.
sbom_debian()
{
	sbom_package "$1" "$3" "$(debian_version "$2")" "$4" "$5" "https://snapshot.debian.org/package/$3/"
	echo "ExternalRef: PACKAGE-MANAGER purl pkg:deb/debian/$2@$(debian_version "$2" | sed 's/+/%2B/g')"
}

# sbom_file FILE LICENCE
sbom_file()
{
	cat <<-SPDX

	FileName: ./$1
	SPDXID: SPDXRef-File-$1
	FileType: BINARY
	FileChecksum: SHA1: $(sha1sum "$1" | cut -d ' ' -f 1)
	FileChecksum: SHA256: $(sha256sum "$1" | cut -d ' ' -f 1)
	LicenseConcluded: $2
	LicenseInfoInFile: NOASSERTION
	FileCopyrightText: NOASSERTION
	Relationship: SPDXRef-pmutest86 CONTAINS SPDXRef-File-$1
	SPDX
}

# relates ID KIND ID...
relates()
{
	from=$1 kind=$2
	shift 2
	for to in "$@"; do
		echo "Relationship: SPDXRef-$from $kind SPDXRef-$to"
	done
}

# sbom CREATED: of the files in this directory, CREATED being seconds since 1970.
sbom()
{
	efi_licence='(BSD-2-Clause AND BSD-3-Clause)'
	elf_licence='(BSD-2-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1)'
	all_licences='(BSD-2-Clause AND BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1 AND GPL-3.0-or-later)'
	cat <<-SPDX
	SPDXVersion: SPDX-2.3
	DataLicense: CC0-1.0
	SPDXID: SPDXRef-DOCUMENT
	DocumentName: $name
	DocumentNamespace: https://spdx.org/spdxdocs/$name-$id
	Creator: Tool: pmutest86-dist-$version
	Created: $(date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ)
	Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-pmutest86
	SPDX
	sbom_package pmutest86 pmutest86 "$version ($id)" BSD-2-Clause "$(sed -n '/^Copyright/p' "$root/LICENSE")" NOASSERTION
	sbom_debian gnu-efi gnu-efi gnu-efi '(BSD-2-Clause AND BSD-3-Clause)' 'Hewlett-Packard Co., Intel Corporation and others'
	libgcc=$(dpkg -S "$(gcc -m32 -print-libgcc-file-name)" | sed 's/:.*//')
	sbom_debian libgcc "$libgcc" "$(dpkg-query --showformat='${source:Package}' --show "$libgcc")" \
		'GPL-3.0-or-later WITH GCC-exception-3.1' 'Free Software Foundation, Inc.'
	sbom_debian grub-pc grub-pc-bin grub2 GPL-3.0-or-later 'Free Software Foundation, Inc.'
	sbom_debian grub-efi-ia32 grub-efi-ia32-bin grub2 GPL-3.0-or-later 'Free Software Foundation, Inc.'
	sbom_file "$name.efi" "$efi_licence"
	relates "File-$name.efi" STATIC_LINK gnu-efi
	sbom_file "$name.elf" "$elf_licence"
	relates "File-$name.elf" STATIC_LINK libgcc
	for image in "$name.img.xz" "$name.iso"; do
		sbom_file "$image" "$all_licences"
		relates "File-$image" CONTAINS "File-$name.efi" "File-$name.elf" grub-pc grub-efi-ia32
	done
}
