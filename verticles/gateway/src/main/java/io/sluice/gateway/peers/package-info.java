/** What this process tells the others of itself, and what it asks them. */
package io.sluice.gateway.peers;
