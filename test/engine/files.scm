; Without a host's files, file procedures say so with a condition of their own kind.
(open-input-file "x") ; error: open-input-file: there are no files here, got "x"
(guard (e ((file-error? e) 'file)) (with-output-to-file "x" (lambda () 1))) ; => file
(load "x") ; error: load: there are no files here, got "x"
(current-second) ; error: current-second: there is no clock here
(command-line) ; => ()
(get-environment-variable "HOME") ; => #f
(get-environment-variable "__proto__") ; => #f
