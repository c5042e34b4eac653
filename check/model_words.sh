# SPDX-License-Identifier: BSD-2-Clause
# A part of run-qemu.sh: its words about the silicon model, checked before a machine is booted for nothing.
# shellcheck shell=sh disable=SC2154 # the words come from run-qemu.sh

# names model|fault: the known ones in one line.
names()
{
	"$lister" | awk -v kind="$1" '$1 == kind { printf "%s%s", comma, $2; comma = ", " }'
}

# known_model NAME
known_model()
{
	"$lister" | awk -v name="$1" '$1 == "model" && $2 == name { found = 1 } END { exit !found }'
}

# models_of KIND NAME [generated]: all that can have that fault or lawful variation, with commas; nothing
# when there is none.
models_of()
{
	"$lister" ${3:+"$3" "$2"} | awk -v kind="$1" -v name="$2" '
		$1 == kind && $2 == name { sub(/^models=/, "", $3); printf "%s%s", comma, $3; comma = "," }'
}

# Each of the list applies to the model; without one the model is the first that has the first.
check_lawful()
{
	for name in $(echo "$lawful" | tr , ' '); do
		has=$(models_of lawful "$name")
		[ -n "$has" ] || [ "$name" = all ] ||
			die "--lawful: unknown variation '$name'; allowed are all, $(names lawful)"
		model=${model:-${has%%,*}}
		case ,$has, in
		,, | *,"$model",*) ;;
		*) die "--lawful: '$name' does not apply to model $model; allowed are models $has" ;;
		esac
	done
}

# One of the models, and a fault that it can have.
check_model()
{
	[ -x "$lister" ] || die "build/host/list_models is not there; run make first"
	if [ -n "$fault" ]; then
		applies=$(models_of fault "$fault")
		[ -n "$applies" ] || applies=$(models_of fault "$fault" generated)
		[ -n "$applies" ] || die "--fault: unknown fault '$fault'; allowed are $(names fault), and those that list_models generated lists"
		model=${model:-${applies%%,*}}
	fi
	check_lawful
	model=${model:-k7}
	known_model "$model" || die "--model: unknown model '$model'; allowed are $(names model)"
	case ,${applies:-$model}, in
	*,"$model",*) ;;
	*) die "--fault: '$fault' does not apply to model $model; allowed are models $applies" ;;
	esac
}

# The form of words about the uncore; the model itself says whether it has one, and which functions.
check_uncore()
{
	case ${sockets:-1} in
	1 | 2) ;;
	*) die "--sockets: unknown number '$sockets'; allowed are 1, 2" ;;
	esac
	case $hide in
	*[!0-9.,]*) die "--hide: '$hide' is no list of functions; allowed is D.F[,D.F...], decimal" ;;
	esac
}
