/** Which revision of a goal each part of a resize has reached, and how long that took. */
package io.sluice.agent.core.revision;
