(letrec ((a (lambda () b)) (b 2)) (a)) ; => 2
(letrec ((a b) (b 2)) a) ; error: b is used before it is defined
(let ()
  (define a 1)
  (define (f) (g))
  (define b (+ a 1))
  (define (g) b)
  (f)) ; => 2
(let ()
  (define (f) (g))
  (define b (f))
  (define (g) c)
  (define c 3)
  b) ; error: g is used before it is defined
(let ()
  (define x 1)
  (set! x (+ x 1))
  (define y x)
  (list x y)) ; => (2 2)
; All values of a letrec are computed before one is bound: going on with a continuation shows it.
(let ((cont #f))
  (letrec ((x (call/cc (lambda (c) (set! cont c) 0)))
           (y (call/cc (lambda (c) (set! cont c) 0))))
    (if cont
        (let ((c cont)) (set! cont #f) (set! x 1) (set! y 1) (c 0))
        (+ x y)))) ; => 0
; A variable is one location, also when the continuation of its init is gone on with twice (r5rs pitfall 1.3).
(letrec ((x (call/cc list)) (y (call/cc list)))
  (cond ((procedure? x) (x (pair? y))) ((procedure? y) (y (pair? x))))
  (let ((x (car x)) (y (car y)))
    (and (call/cc x) (call/cc y) (call/cc x)))) ; => #t
