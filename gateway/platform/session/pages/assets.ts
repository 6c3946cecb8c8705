/** Style of the identity pages. */
export const identityStyle = `
:root { color-scheme: light dark; --blue: #1f5eff; --blue-hover: #1a4fd6; --link: #1f5eff; --button: #1f5eff; --text: #1f1f1f; --muted: #595959; --line: #d9d9d9; --back: #f5f6f8; --card: #fff; --error: #cf1322; --error-back: #fff2f0; --error-line: #ffccc7; --hover: #f0f5ff }
@media (prefers-color-scheme: dark) { :root { --blue: #3d73ff; --blue-hover: #2552c4; --link: #7da2ff; --button: #2f62e0; --text: #e6e6e6; --muted: #a6a6a6; --line: #424242; --back: #101114; --card: #1b1c20; --error: #ff7875; --error-back: #2c1618; --error-line: #5c2223; --hover: #15243d } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; background: var(--back); color: var(--text); font: 14px/1.57 -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif }
header { display: flex; justify-content: space-between; align-items: center; height: 52px; padding: 0 24px }
.brand { display: flex; gap: 8px; align-items: center; font-size: 16px; font-weight: 600 }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
main { width: min(440px, calc(100% - 32px)); margin: 6vh auto 48px; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
@media (max-width: 480px) { header { padding: 0 16px } main { padding: 24px 20px; margin-top: 16px } }
h1 { margin: 0 0 20px; font-size: 22px; font-weight: 600 }
h2 { margin: 16px 0 4px; font-size: 12px; font-weight: 500; color: var(--muted) }
nav { display: flex; gap: 24px; margin-bottom: 20px; border-bottom: 1px solid var(--line) }
nav a { padding: 8px 0; color: var(--muted); border-bottom: 2px solid transparent; margin-bottom: -1px }
nav a[aria-current] { color: var(--link); border-color: var(--blue); font-weight: 500 }
label { display: block; margin: 14px 0 6px }
input { width: 100%; height: 40px; padding: 0 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px }
input:hover { border-color: var(--blue-hover) }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px }
button { font: inherit; cursor: pointer }
.primary { width: 100%; height: 40px; margin-top: 24px; color: #fff; background: var(--button); border: 0; border-radius: 6px; font-weight: 500 }
.primary:hover { background: var(--blue-hover) }
.notice { margin: 0 0 16px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px }
.notice.error { color: var(--error); background: var(--error-back); border-color: var(--error-line) }
.hint { color: var(--muted); font-size: 12px; margin: 6px 0 0 }
.verification { display: flex; gap: 8px; align-items: center } .verification img { flex: none; height: 60px; width: 180px; background: #fff; border: 1px solid var(--line); border-radius: 8px; cursor: pointer }
.people { max-height: 46vh; overflow: auto; margin: 8px -8px 0; padding: 0 8px }
.person { display: flex; justify-content: space-between; gap: 12px; width: 100%; padding: 8px 12px; text-align: left; color: inherit; background: none; border: 0; border-radius: 8px }
.person:hover, .person:focus-visible { background: var(--hover) }
.person small { color: var(--muted); white-space: nowrap }
[hidden] { display: none }
`.trim()

/**
 * Search in the list of people, a fresh image on click, and the way on for somebody who is signed in and came here by going back.
 * Everything works without it, too.
 */
export const identityScript = `
addEventListener('pageshow', (event) => {
  const [way] = performance.getEntriesByType('navigation')
  const back = event.persisted || (way && way.type === 'back_forward')
  if (back && /(^|; )[A-Z0-9_-]+_token=[^;]/.test(document.cookie)) location.replace('/')
})
const search = document.querySelector('[data-search]')
if (search) {
  search.parentElement.hidden = false
  search.focus()
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase()
    for (const group of document.querySelectorAll('[data-group]')) {
      let shown = 0
      for (const person of group.querySelectorAll('[data-text]')) {
        person.hidden = !person.dataset.text.includes(wanted)
        if (!person.hidden) shown += 1
      }
      group.hidden = shown === 0
    }
  })
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const first = [...document.querySelectorAll('[data-text]')].find((person) => !person.hidden)
    if (first) first.click()
  })
}
const image = document.querySelector('[data-verification]')
if (image) {
  const address = image.src
  let count = 0
  image.addEventListener('click', () => { count += 1; image.src = address + '&again=' + count })
}
const wrong = document.querySelector('[aria-invalid=true]')
if (wrong) wrong.focus()
`.trim()
