(define (first-of l) (vector-length l))
(define (vector-length x) 'mine)
(list (first-of 1) (vector-length 2)) ; => (mine mine)
(define (map f l) 'own-map)
(map car '()) ; => own-map
(vector-map (lambda (x) x) #(1 2)) ; => #(1 2)
; Code compiled before a builtin was redefined goes by the new value.
(define (head l) (car l))
(define (sum a b c) (+ a b c))
(list (head '(1 2)) (sum 1 2 3)) ; => (1 6)
(define (car x) 'own-car)
(head '(1 2)) ; => own-car
(define (+ . args) (length args))
(sum 1 2 3) ; => 3
(set! - (lambda args 'own-minus))
(let ((f (lambda (x) (- x 1)))) (f 1)) ; => own-minus
