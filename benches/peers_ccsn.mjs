// Judges commands with cc-safety-net: JSON lines of {command} in; {action, us} out.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [entry, cwd] = process.argv.slice(2);
const { checkCommand } = await import(pathToFileURL(entry));

for await (const line of createInterface({ input: process.stdin })) {
  const { command } = JSON.parse(line);
  const start = process.hrtime.bigint();
  let action;
  try {
    action = checkCommand({ command, cwd }).kind === "deny" ? "block" : "allow";
  } catch {
    action = "error";
  }
  const us = Number(process.hrtime.bigint() - start) / 1000;
  console.log(JSON.stringify({ action, us }));
}
