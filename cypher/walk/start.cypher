// Question: which addresses did these pay, and those again, hop by hop? Or from which did they receive?
//           The statements walk/sent-<n> and walk/received-<n> are this part, n times the hop, and the end.
// Params: $keys (where the walk begins), $ats (epoch ms of each: money was there since; of walk/received: left until),
//         $timed (false: whatever the times), $min_usd (smallest sum of a pair; 0 keeps unpriced pairs),
//         $breadth (pairs an address, largest first), $wide (addresses opened at each hop, largest first),
//         $stops (categories), $no_parties (addresses) and $closed (keys) that are reached and not opened
// Rows: one: opened ([key, at] of each address whose pairs these are), found (by far end: [far, [[near, usd, first_at,
//       last_at], ...]]), known ([key, category, read, has_bridges] of each address met: the last two as in path/ends)
CALL () {
  UNWIND range(0, size($keys) - 1) AS i
  MATCH (a:Address {key: $keys[i]})
  RETURN collect([a, $ats[i], a.key]) AS front
}
WITH front, $wide AS wide, [] AS opened, [] AS found
