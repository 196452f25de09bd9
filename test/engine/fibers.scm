(parallel (lambda () 1) (lambda () (yield) 2) (lambda () 3)) ; => (1 2 3)
(define trace '())
(define (note x) (set! trace (cons x trace)))
(define a (spawn (lambda () (note 'a1) (yield) (note 'a2) 'a)))
(define b (spawn (lambda () (note 'b1) (yield) (note 'b2) 'b)))
(list (join a) (join b)) ; => (a b)
(reverse trace) ; => (a1 b1 a2 b2)
(guard (e (#t (list 'joined e))) (join (spawn (lambda () (raise 'inside))))) ; error: nobody handled inside
