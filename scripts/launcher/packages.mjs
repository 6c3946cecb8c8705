import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runChild } from './children.mjs'

/**
 * Installs packages of the system with apt-get, where there is one and we may.
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installPackages(...packages) {
  if (!existsSync('/usr/bin/apt-get')) return false
  const before = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = async (...args) => {
    const [command, ...rest] = [...before, 'apt-get', ...args]
    return (await runChild(command, rest)).code === 0
  }
  const install = () => apt('install', '-y', '-q', ...packages)
  if (await install()) return true
  await apt('update', '-q')
  return install()
}

/** Whether apt-get knows a package by what it has read last. */
export async function knowsPackage(name) {
  const cache = findProgram('apt-cache')
  return cache !== undefined && (await runChild(cache, ['show', name])).code === 0
}

/** The program of that name on the path; undefined when there is none. */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
