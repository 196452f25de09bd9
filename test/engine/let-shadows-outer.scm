(define x 1)
(let ((x 2) (y x)) (list x y)) ; => (2 1)
(let* ((x 2) (y x)) (list x y)) ; => (2 2)
(letrec ((even? (lambda (n) (if (= n 0) #t (odd? (- n 1))))) (odd? (lambda (n) (if (= n 0) #f (even? (- n 1)))))) (even? 100)) ; => #t
(let loop ((i 0) (all '())) (if (= i 3) all (loop (+ i 1) (cons i all)))) ; => (2 1 0)
x ; => 1
