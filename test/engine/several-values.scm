(call-with-values (lambda () (values 1 2)) +) ; => 3
(let-values (((a b) (values 1 2)) ((c . d) (values 3 4 5))) (list a b c d)) ; => (1 2 3 (4 5))
(let*-values (((a) (values 1)) ((b c) (values a 2))) (list a b c)) ; => (1 1 2)
(receive (a . rest) (values 1 2 3) (list a rest)) ; => (1 (2 3))
(define-values (x y . z) (values 1 2 3 4))
(list x y z) ; => (1 2 (3 4))
(let () (define-values (p q) (values 7 8)) (* p q)) ; => 56
(let-values (((a b) (values 1 2 3))) a) ; error: expected 2 values, got 3
