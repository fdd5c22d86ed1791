/** What every HTTP door of a process has: where it listens, who may come in, and how it is kept from being held up. */
package io.sluice.gateway.listener;
