# Names against lists of globs: for the scripts named behind it.
# matches(name, "GLOB[,GLOB...]")

function regex_of(globs,    regex)
{
	if (globs in regexes)
		return regexes[globs]
	regex = globs
	gsub(/[.+(){}|^$]/, "\\\\&", regex)
	gsub(/[*]/, ".*", regex)
	gsub(/[?]/, ".", regex)
	gsub(/,/, "|", regex)
	return regexes[globs] = "^(" regex ")$"
}

function matches(name, globs)
{
	return name ~ regex_of(globs)
}
