; R7RS 6.2: numbers.
(list 10 -5 1/2 -6/4 1. .5 -0.0 1e21 1e-7 123456789012345678901234567890 +inf.0 -inf.0 +nan.0) ; => (10 -5 1/2 -3/2 1.0 0.5 -0.0 1e21 1e-7 123456789012345678901234567890 +inf.0 -inf.0 +nan.0)
(list #xFF #b-101 #o17 #d10 #e1.5 #i1/2 #x1/A #e1e3 #i10 #e-.25 #xe #i#x10 #x#i10) ; => (255 -5 15 10 3/2 0.5 1/10 1000 10.0 -1/4 14 16.0 16.0)
(list 1e3 1E3 -1.5e-3 +5 1.e2 .1e1 000.100 1s2 1F2 1d2 1L2) ; => (1000.0 1000.0 -0.0015 5 100.0 1.0 0.1 100.0 100.0 100.0 100.0)
(list 0.1 123.456 1e100 5e-324 1.7976931348623157e308 100.0 12345678901234567890.0) ; => (0.1 123.456 1e100 5e-324 1.7976931348623157e308 100.0 12345678901234567000.0)
(list (number? 1) (complex? 1/2) (real? 1.5) (rational? 1.5) (rational? +inf.0) (integer? 3.0) (integer? 3.5) (exact? 1/2) (inexact? 1.) (exact-integer? 5) (exact-integer? 5.0) (nan? +nan.0) (finite? 1e308) (infinite? -inf.0)) ; => (#t #t #t #t #f #t #f #t #t #t #f #t #t #t)
(list (= 1 1.0 1) (< 1 2 3) (<= 1 1 2) (> 3 2 2) (>= 3 2 2) (= 1/2 0.5) (< 9007199254740992 9007199254740993.0) (= 9007199254740993 9007199254740992.0) (zero? -0.0) (positive? 1/3) (negative? -1) (odd? 3) (even? 0)) ; => (#t #t #t #f #t #t #f #f #t #t #t #t #t)
(list (max 1 2 4) (max 3.9 4) (min 1 2.5) (+) (*) (+ 3 4) (- 3) (- 3 4 5) (/ 3) (/ 3 4 5) (abs -7) (abs -1/2)) ; => (4 4.0 1.0 0 1 7 -3 -6 1/3 3/20 7 1/2)
(call-with-values (lambda () (floor/ -5 2)) list) ; => (-3 1)
(call-with-values (lambda () (truncate/ -5 2)) list) ; => (-2 -1)
(list (floor-quotient 5 -2) (floor-remainder 5 -2) (truncate-quotient -5.0 2) (truncate-remainder 5 -2) (modulo -7 2) (remainder -7 2) (quotient -7 2) (modulo 13 4.0)) ; => (-3 -1 -2.0 1 1 -1 -3 1.0)
(list (gcd 32 -36) (gcd) (lcm 32 -36) (lcm 32.0 -36) (numerator 6/4) (denominator 6/4) (denominator 0.5)) ; => (4 0 288 288.0 3 2 2.0)
(list (floor -4.3) (ceiling -4.3) (truncate -4.3) (round -4.3) (round 3.5) (round 2.5) (round 7/2) (round -1/2) (floor 7/2) (round 7)) ; => (-5.0 -4.0 -4.0 -4.0 4.0 2.0 4 0 3 7)
(list (rationalize 3/10 1/10) (rationalize .3 1/10) (exact 2.5) (inexact 1/3) (exact 1e20) (exact->inexact 1/2) (inexact->exact 0.25)) ; => (1/3 0.3333333333333333 5/2 0.3333333333333333 100000000000000000000 0.5 1/4)
(list (exp 0) (log 1) (sin 0) (cos 0) (atan 1 0) (atan -1 -1) (sqrt 9) (sqrt 2) (sqrt 1/4) (sqrt 16.0) (log 8 2) (square 5) (square 1/2)) ; => (1 0 0 1 1.5707963267948966 -2.356194490192345 3 1.4142135623730951 1/2 4.0 3.0 25 1/4)
(call-with-values (lambda () (exact-integer-sqrt 17)) list) ; => (4 1)
(list (expt 2 10) (expt 2 -2) (expt 2.0 3) (expt 2 0.5) (expt 0 0) (expt 0.0 0) (expt 1/2 3) (exact (expt 10 25))) ; => (1024 1/4 8.0 1.4142135623730951 1 1.0 1/8 10000000000000000000000000)
(list (number->string 255 16) (number->string -5 2) (number->string 1/3 2) (number->string 1.5) (string->number "100") (string->number "ff" 16) (string->number "1e2") (string->number "abc") (string->number "1/2") (string->number "#xff") (string->number "-") (string->number "1.5e")) ; => ("ff" "-101" "1/11" "1.5" 100 255 100.0 #f 1/2 255 #f #f)
(list (* 99999999999 99999999999) (- (expt 2 62) 1) (quotient (expt 10 30) 7) (exact->inexact 12345678901234567890123) (+ 9007199254740991 1) (- -9007199254740991 2)) ; => (9999999999800000000001 4611686018427387903 142857142857142857142857142857 1.2345678901234568e22 9007199254740992 -9007199254740993)
(list (+ 1/2 1/2) (* 2/3 3/2) (+ 1/2 0.5) (- 1/2 1/2) (/ 6 4) (/ 6 3) (/ 0.0 1) (exact (floor 2.7))) ; => (1 1 1.0 0 3/2 2 0.0 2)
(/ 1 0) ; error: /: division by zero
(list (/ 1 0.0) (/ -1 0.0) (/ 0.0 0) ) ; error: /: division by zero
(list (/ 1 0.0) (/ -1.0 0.0)) ; => (+inf.0 -inf.0)
(list (truncate 1e300) (floor +inf.0) (exact-integer? (exact 1e18)) (integer? 1e300)) ; => (1e300 +inf.0 #t #t)
(list (boolean=? #t #t) (char->integer #\A) (string->number "1e400") (string->number "+inf.0") (- +inf.0 +inf.0)) ; => (#t 65 +inf.0 +inf.0 +nan.0)
; Loops over inexact reals keep them as bare numbers; these leave that and come back to it.
(let loop ((i 0) (x 0.5)) (if (= i 5) x (loop (+ i 1) (if (= i 2) (exact (round x)) (+ x 0.25))))) ; => 1.5
(let loop ((i 0) (s 0)) (if (= i 10) s (loop (+ i 1) (+ s 0.5)))) ; => 5.0
(let loop ((i 0) (s 0.0) (fs '())) (if (= i 3) (map (lambda (f) (f)) fs) (loop (+ i 1) (+ s 1.5) (cons (lambda () s) fs)))) ; => (3.0 1.5 0.0)
(define (g x) x)
(let loop ((i 0) (s 0.0)) (if (= i 5) s (loop (+ i 1) (+ (* s 2.0) (g 1))))) ; => 31.0
(let loop ((x 1.0) (n 0)) (if (> x 1000.0) (list x n) (loop (* x 2) (+ n 1)))) ; => (1024.0 10)
(let ((k 2.0)) (let loop ((x 0.0) (y '())) (if (>= x 3.0) (reverse y) (loop (+ x 1.0) (cons (list x (* x k)) y))))) ; => ((0.0 0.0) (1.0 2.0) (2.0 4.0))
(let loop ((x 1.0)) (if (< x 100.0) (loop (* x 'a)) x)) ; error: *: expected a number, got a
(let loop ((x 0.5) (n 0)) (if (= n 3) x (loop (/ 1 x) (+ n 1)))) ; => 2.0
(let loop ((x 0.5) (n 0)) (if (= n 3) x (loop (- x) (+ n 1)))) ; => -0.5
(let outer ((a 0.0) (n 0)) (if (= n 3) a (outer (let inner ((b 0.5) (m 0)) (if (= m 4) (+ a b) (inner (+ b 0.5) (+ m 1)))) (+ n 1)))) ; => 7.5
(let loop ((x 10.0) (l '())) (if (< x 1.0) l (call/cc (lambda (k) (loop (/ x 3.0) (cons (floor x) l)))))) ; => (1.0 3.0 10.0)
