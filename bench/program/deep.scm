; Recursion a million deep that is no tail call.
(define (build n) (if (= n 0) '() (cons n (build (- n 1)))))
(define (add-all l) (if (null? l) 0 (+ (car l) (add-all (cdr l)))))
(define (run) (add-all (build 1000000)))
(define expected 500000500000)
