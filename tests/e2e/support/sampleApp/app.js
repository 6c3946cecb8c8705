// The other end of the bridge, as a sub-application writes it: it talks to the origin that opened it and to no other.
const portal = new URL(document.referrer).origin
const send = (message) => window.parent.postMessage({ channel: 'switchboard', version: 1, ...message }, portal)
const show = (id, text) => (document.getElementById(id).textContent = text)

let token = ''
window.addEventListener('message', ({ origin, data }) => {
  if (origin !== portal || data?.channel !== 'switchboard') return
  if (data.token !== undefined) show('token', (token = data.token))
  if (data.locale !== undefined) show('locale', data.locale)
  if (data.theme !== undefined) show('theme', data.theme)
  if (data.path !== undefined) show('path', data.path)
})
const on = (id, message) => document.getElementById(id).addEventListener('click', () => send(message()))
on('go', () => ({ type: 'navigate', address: '/crm/list?from=sample' }))
on('title', () => ({ type: 'title', title: 'Sample title' }))
on('height', () => ({ type: 'height', height: 1234 }))
on('renew', () => ({ type: 'tokenRequest', refused: token }))
on('dirty', () => ({ type: 'unsaved', unsaved: true }))
on('leave', () => ({ type: 'navigate', address: '//evil.example/' }))
send({ type: 'ready' })
