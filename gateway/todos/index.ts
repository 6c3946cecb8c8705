/** What people are told: a message to each (sys.message), and a to-do (sys.todo) where something is to be done; once, however often it is said. */
export { gathered, namingNobody, PERSON_CHANNEL, push, send, type Notice, type PersonEvent, type Said } from './messages'
export { giveWay, moveTodos, remind, closeTodos, closeOwnTodos, closeTodosByState, notify } from './todos'
