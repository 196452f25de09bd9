;;; The main loop: what the agent does with a task. Start reading here.
;;;
;;; A context is what the model is shown: the messages so far. It never changes; context-add gives a
;;; new one. The host lends the words that do something: `complete` asks the model, `perform` makes one
;;; tool call through the guard. Everything else you see is ordinary Scheme, and yours to change.

(define (new-talk)
  "The main context, before anything was said."
  (make-context "main" (prompt 'system "root" (workspace-root))))

(define talk
  ;; It is kept from task to task, so that a task can speak of the one before.
  (new-talk))

(define (take-up said)
  "Goes on from what was said in a session of another strategy: messages, replies and outcomes."
  (set! talk (apply context-add (new-talk) said)))

(define (run-task task)
  "Does what a person asked for. Returns the last reply and how the check went: passed, failed or none."
  (let-values (((context reply check)
                (converse-checked (context-add talk (person-message task)) (check-rounds))))
    (set! talk context)
    (list reply check)))

(define (converse context)
  "Asks the model and does what it calls for, until it answers without calls or cannot go on.
Returns the context with all that was said, and the last reply."
  (let* ((context (hear context))
         (reply (complete context))
         (context (context-add context reply))
         (calls (reply-calls reply)))
    (cond ((pair? calls)
           (let ((outcomes (perform-batch calls)))
             (converse (warn-of-repeats (add-outcomes context outcomes) outcomes))))
          ((memq (reply-ending reply) '(answer steered))
           (let ((heard (hear context)))
             (if (eq? heard context) (values context reply) (converse heard))))
          (else (values context reply)))))

(define (hear context)
  "The context with what the person typed while this worked, where it is the one they talk to."
  (if (string=? (context-name context) "main")
      (apply context-add context (typed))
      context))

(define (perform-batch calls)
  "The outcomes of one reply's calls, in their order. Calls that only read run side by side; as soon as
one of them changes something, each waits for the one before it."
  (if (every call-read-only? calls)
      (parallel-map perform calls)
      (map perform calls)))

(define (add-outcomes context outcomes)
  "The context with what came of the calls."
  (fold (lambda (outcome context) (context-add context outcome)) context outcomes))

(define (warn-of-repeats context outcomes)
  "Tells model and person where a call came three times to the same result."
  (let ((again (find (lambda (outcome) (= 3 (outcome-times outcome))) outcomes)))
    (if again
        (let ((words (prompt 'repeating "call" (call-name (outcome-call again)))))
          (note 'warning words)
          (context-add context (person-message words)))
        context)))
