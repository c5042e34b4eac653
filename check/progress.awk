# SPDX-License-Identifier: BSD-2-Clause
# Prints in one line the progress of a log that is being written: the number of reports that it has begun, and of the last
# one the plan, the results, the failed tests and the last result's test.
{ sub(/\r$/, "") }
/KTAP version/ { reports++; plan = results = failed = 0; test = "" }
!reports { next }
/^1\.\.[0-9]/ { plan = substr($1, 4) }
/^ok [0-9]/ { results++; test = $3 }
/^not ok [0-9]/ { results++; test = $4 }
/^not ok [0-9]/ && !/ # TODO / { failed++ }
END { print reports + 0, plan + 0, results + 0, failed + 0, test }
