/**
 * Agent card: a crew as other agents find it.
 */
import type { MountedCrew } from "@baton/server/mount";

const MODES = ["text/plain", "application/json"] as const;

/** The card of a crew at an address. */
export function toAgentCard(
  { id, crew, expose }: MountedCrew,
  { address, version }: Readonly<{ address: string; version: string }>,
): object {
  const name = expose?.name ?? id;
  const description = crew.description || `The crew ${crew.name}.`;
  return {
    name,
    description,
    version,
    supportedInterfaces: [{ url: `${address}/a2a/${id}`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    securitySchemes: { key: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { key: { list: [] } } }],
    skills: [{ id, name, description, tags: ["crew"], examples: crew.examples }],
  };
}
