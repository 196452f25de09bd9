(begin (display "x") (write "y")) ; out: x"y"
(with-output-to-string (lambda () (display '(1 "a" #\b)))) ; => "(1 a b)"
(call-with-output-string (lambda (port) (write 'abc port))) ; => "abc"
(for-each display '(1 2 3)) ; out: 123
