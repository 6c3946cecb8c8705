import { existsSync } from 'node:fs'
import { findProgram, installPackages } from './packages.mjs'

const isThere = () =>
  process.env.DOVECOT_PATH !== undefined || findProgram('dovecot') !== undefined || existsSync('/usr/sbin/dovecot')

/**
 * Sees to it that the tests of mail find a real IMAP server, Debian's dovecot, which apt-get installs when we may.
 * @returns {Promise<string | undefined>} what to tell when there is none; with CI set its tests fail then
 */
export async function ensureMailServer() {
  if (process.platform !== 'linux' || isThere()) return undefined
  await installPackages('dovecot-imapd')
  return isThere()
    ? undefined
    : 'without dovecot: mail over IMAP is not tried. Install it (Debian: "apt-get install dovecot-imapd").'
}
