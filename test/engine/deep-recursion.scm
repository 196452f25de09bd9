(define (build n) (if (= n 0) '() (cons n (build (- n 1)))))
(length (build 20000)) ; => 20000
(define (sum l) (if (null? l) 0 (+ (car l) (sum (cdr l)))))
(sum (build 20000)) ; => 200010000
(length (map (lambda (x) (+ x 1)) (build 20000))) ; => 20000
