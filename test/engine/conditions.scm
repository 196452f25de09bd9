(guard (e (#t (list 'caught e))) (raise 'boom)) ; => (caught boom)
(guard (e ((string? e) 'string) ((symbol? e) 'symbol)) (raise 'boom)) ; => symbol
(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'a 42)))) ; => 42
(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'b 23)))) ; => (b . 23)
(guard (e ((symbol? e) (list 'outer e))) (guard (e ((string? e) 'inner)) (raise 'boom))) ; => (outer boom)
(guard (e (#t (condition-is e))) 5) ; => 5
(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'c)))) ; => 11
; Raised again, a continuable condition still gets the value of the outer handler.
(with-exception-handler
 (lambda (e) 42)
 (lambda () (+ 1 (guard (e ((string? e) 0)) (raise-continuable 'x))))) ; => 43
(guard (e (#t (error-object-message e))) (error "no such thing:" 1 2)) ; => "no such thing:"
(guard (e (#t (error-object-irritants e))) (error "no such thing:" 1 2)) ; => (1 2)
(guard (e ((error-object? e) (error-object-message e))) (car 5)) ; => "car: expected a pair, got 5"
(with-exception-handler (lambda (e) 'ignored) (lambda () (raise 'oops))) ; error: raise: a handler returned from a condition that is not continuable: oops
(raise 'nobody) ; error at 16:1: nobody handled nobody
(error "what is wrong") ; error at 17:1: what is wrong
(guard (e (#f 1)) (error "again")) ; error: again
; A handler runs in the context of the raise, less itself.
(guard (e (#t (list 'outer e)))
  (with-exception-handler
   (lambda (e) (raise (list 'from-handler e)))
   (lambda () (raise 'first)))) ; => (outer (from-handler first))
(assert (= 1 2)) ; error: assertion failed: (= 1 2)
