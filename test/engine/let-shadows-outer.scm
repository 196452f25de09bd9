(define x 1)
(let ((x 2) (y x)) (list x y)) ; => (2 1)
(let* ((x 2) (y x)) (list x y)) ; => (2 2)
(letrec ((even? (lambda (n) (if (= n 0) #t (odd? (- n 1))))) (odd? (lambda (n) (if (= n 0) #f (even? (- n 1)))))) (even? 100)) ; => #t
(let loop ((i 0) (all '())) (if (= i 3) all (loop (+ i 1) (cons i all)))) ; => (2 1 0)
x ; => 1
(let ((x 1) (x 2)) x) ; error: duplicate name x
(let loop ((i 0) (i 1)) i) ; error: duplicate name i
(do ((i 0 1) (i 1 2)) (#t i)) ; error: duplicate name i
(let* ((x 1) (x (+ x 1))) x) ; => 2
