/** Who sends a request: shared tokens, reviews of agents' tokens, browsers' logins and origins. Pure. */
package io.sluice.gateway.core.identity;
