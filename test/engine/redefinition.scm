(define (first-of l) (vector-length l))
(define (vector-length x) 'mine)
(list (first-of 1) (vector-length 2)) ; => (mine mine)
(define (map f l) 'own-map)
(map car '()) ; => own-map
(vector-map (lambda (x) x) #(1 2)) ; => #(1 2)
