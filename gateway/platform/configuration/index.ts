/** What an operator can set: read from the environment, checked at the start, with every mistake at once. */
export { configurationHelp, configurationMarkdown } from './describe'
export { ConfigurationError, readConfiguration } from './read'
export type { Configuration } from './read'
export type { Kind } from './kinds'
export { anyText, duration, hostNames, listenAddress, namedAddresses, webAddress, wholeNumber } from './kinds'
export { optional, secret, setting, type Setting, type SettingTable, type ValuesOf } from './settings'
