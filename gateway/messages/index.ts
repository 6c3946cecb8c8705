/** Messages of people: their calls below the message centre's base, and their pushes on the stream of each person. */
export { registerMessages } from './messages'
export { saidService } from './shown'
export { releaseNoticeService } from './releases'
