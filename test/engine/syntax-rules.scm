(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) ; => (2 1)
(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...))))))
(let ((t 5)) (my-or #f t)) ; => 5
(let ((if list)) (my-or #f 7)) ; => 7
(define-syntax my-let* (syntax-rules () ((_ () body ...) (let () body ...)) ((_ ((x v) rest ...) body ...) (let ((x v)) (my-let* (rest ...) body ...)))))
(my-let* ((a 1) (b (+ a 1))) (* a b)) ; => 2
(define-syntax for (syntax-rules (in) ((_ x in items body ...) (map (lambda (x) body ...) items))))
(for x in '(1 2 3) (* x x)) ; => (1 4 9)
(let ((in 1)) (for x in '(1) x)) ; error: for: no pattern fits (for x in '(1) x)
(define-syntax nested (syntax-rules () ((_ (a b ...) ...) '((b ... a) ...))))
(nested (1 2 3) (4) (5 6)) ; => ((2 3 1) (4) (6 5))
(define-syntax flat (syntax-rules () ((_ (a ...) ...) '(a ... ...))))
(flat (1 2) () (3)) ; => (1 2 3)
(define-syntax tail (syntax-rules () ((_ a ... z) '(z a ...))))
(tail 1 2 3) ; => (3 1 2)
(define-syntax vec (syntax-rules () ((_ #(a ...)) '(a ...))))
(vec #(1 2)) ; => (1 2)
(define-syntax be-like-begin (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(sequence 1 2 3) ; => 3
(define-syntax my-list (syntax-rules ::: () ((_ a :::) (list a :::))))
(my-list 1 2) ; => (1 2)
(let ((x 1)) (define-syntax m (syntax-rules () ((_ y) (+ x y)))) (let ((x 100)) (m x))) ; => 101
(let-syntax ((foo (syntax-rules () ((_ x) (* x 2))))) (foo 4)) ; => 8
(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x y ...) (od? y ...)))) (od? (syntax-rules () ((_) #f) ((_ x y ...) (ev? y ...))))) (ev? 1 2 3 4)) ; => #t
(define-syntax while (syntax-rules () ((_ test body ...) (let loop () (when test body ... (loop))))))
(let ((i 0)) (while (< i 3) (set! i (+ i 1))) i) ; => 3
(define-syntax bad (syntax-rules () ((_) (syntax-error "not like this" 1 2))))
(bad) ; error: not like this 1 2
(let ((else #f)) (cond (else 1) (#t 2))) ; => 2
