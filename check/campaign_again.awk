# SPDX-License-Identifier: BSD-2-Clause
# The second round of a campaign: what the tests of a fault have missed meets the whole battery.
#
#     awk -f campaign_again.awk JUDGED PAIRS              the pairs of the second round
#     awk -v merge=1 -f campaign_again.awk AGAIN JUDGED   the verdicts of both
FNR == NR && merge { again[$1, $2] = $0; next }
FNR == NR { missed[$1, $2] = $3 == "missed"; next }
merge { print ($1, $2) in again ? again[$1, $2] : $0; next }
$4 != "*" && missed[$1, $2] { print $1, $2, "*", "*", $5 }
