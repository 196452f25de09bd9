// The library (`nodwyn`): sessions, tools and the edit primitive, for programs that bring their own
// client. The engine alone is `nodwyn/scheme`.

export { createSession, Session, type SessionOptions, type SessionModel, type TaskResult } from './session/session.ts'
export { loadConfig, type Config, type Limits } from './session/config.ts'
export type { Answer, Card, Person } from './session/person.ts'
export type { Event, EventBody, EventHead, Outcome, Passing } from './session/event.ts'
export { complaintOf, valueText, type Complaint } from './session/report.ts'
export { resolveModel } from './model/resolve.ts'
export type { Model, Reply, Request, ToolSchema } from './model/talk.ts'
export { applyEdit, type Edit, type EditFailure, type EditResult } from './tool/apply-edit.ts'
export { applyEdits, type EditsResult } from './tool/apply-edits.ts'
export type { Param, Prim, Role } from './tool/prim.ts'
