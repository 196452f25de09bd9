(include "x.scm") ; error at 1:1: include: there are no files here, got "x.scm"
