(define (f x y) x)
(f 1) ; error: f: missing argument y
(f 1 2 3) ; error: f: expected 2 arguments, got 3
((lambda (x . rest) rest)) ; error: procedure: missing argument x
(car) ; error: car: missing argument pair
(car 1 2) ; error: car: expected 1 argument, got 2
