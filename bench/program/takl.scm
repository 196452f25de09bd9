; Takeuchi's function on numbers written as lists of that length.
(define (counting n)
  (if (= n 0) '() (cons n (counting (- n 1)))))
(define (shorter? a b)
  (and (not (null? b)) (or (null? a) (shorter? (cdr a) (cdr b)))))
(define (mas x y z)
  (if (not (shorter? y x))
      z
      (mas (mas (cdr x) y z) (mas (cdr y) z x) (mas (cdr z) x y))))
(define long (counting 22))
(define middle (counting 15))
(define short (counting 7))
(define (run) (length (mas long middle short)))
(define expected 15)
