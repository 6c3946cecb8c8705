/** Mail as bytes: read, cleaned and composed, and what is wrong with a connection that carries it. */
export { readBounce, type Bounce } from './bounce'
export { freeze, type ComposedFile } from './compose'
export { exchangersOf } from './exchangers'
export { faultInWords } from './faults'
export { cleanHtml, HTML_VERSION, linksOf, pictureAddresses, plainText } from './html'
export { AccessTokens, oauthClients, type OauthClients } from './oauth'
export { attachmentOf, readMail, type MailAttachment, type ReadMail } from './read'
export { looksLike, registered, warningsOf, weighsAsSpam, type Warning } from './warnings'
