(+ 1 2) ; => 3
(- 5) ; => -5
(* 1 2 3 4) ; => 24
(- 10 1 2) ; => 7
(+) ; => 0
(* 4611686018427387904 4) ; => 18446744073709551616
(+ 9007199254740991 1) ; => 9007199254740992
(- (+ 9007199254740991 1) 1) ; => 9007199254740991
(/ 1 3) ; => 1/3
(* 1.5 2) ; => 3.0
(* 0 -5) ; => 0
(quotient -7 2) ; => -3
(remainder -7 2) ; => -1
(modulo -7 2) ; => 1
(modulo -4 2) ; => 0
(< 1 2 3) ; => #t
(< 1 3 2) ; => #f
(= 1 1.0) ; => #t
(exact->inexact 1/3) ; => 0.3333333333333333
(+ 1 "a") ; error: +: expected a number, got "a"
(quotient 1 0) ; error: quotient: division by zero
(vector-ref (vector 1 2 3) 7) ; error: vector-ref: index 7 is out of range for a vector of length 3
