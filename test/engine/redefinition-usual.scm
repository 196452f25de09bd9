; A redefinition holds also where the usual call of a procedure is a call of another one.
(define (sum-of l) (fold + 0 l))
(define (all? l) (every odd? l))
(list (sum-of '(1 2)) (all? '(1 3))) ; => (3 #t)
(define (fold f s l) (list 'mine s))
(define (every f l) 'mine)
(list (sum-of '(1 2)) (all? '(1 3))) ; => ((mine 0) mine)
