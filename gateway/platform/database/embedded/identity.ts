import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartupError } from '../../lifecycle/index'

/** The user that runs the embedded server when the gateway itself is root, which PostgreSQL refuses. */
export interface Identity {
  uid: number
  gid: number
}

/** Tried in this order. `nobody` exists on every Linux and owns nothing. */
const USERS = ['nobody', 'postgres', 'daemon']

/**
 * Whom the server runs as: undefined means as ourselves. The owner of an existing cluster stays its owner.
 * @throws StartupError when the system has no user that could run it
 */
export function serverIdentity(cluster: string): Identity | undefined {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return undefined
  const owner = ownerOf(cluster)
  if (owner && owner.uid !== 0) return owner
  const users = readUsers()
  for (const name of USERS) {
    const identity = users.get(name)
    if (identity && identity.uid !== 0) return identity
  }
  throw new StartupError(
    'configuration',
    'PostgreSQL refuses to run as root, and this system has no user "nobody", "postgres" or "daemon" to run it as; start Switchboard as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the identity can enter every folder on the way to (and including) this one, by the mode bits. */
export function canReach(identity: Identity, folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    const { mode, uid, gid } = statSync(current)
    const bit = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (current === dirname(current)) return true
  }
}

function ownerOf(folder: string): Identity | undefined {
  try {
    const { uid, gid } = statSync(folder)
    return { uid, gid }
  } catch {
    return undefined
  }
}

function readUsers(): Map<string, Identity> {
  const users = new Map<string, Identity>()
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [name, , uid, gid] = line.split(':')
      if (name && uid && gid) users.set(name, { uid: Number(uid), gid: Number(gid) })
    }
  } catch {
    // No such file: the caller says what to do.
  }
  return users
}
