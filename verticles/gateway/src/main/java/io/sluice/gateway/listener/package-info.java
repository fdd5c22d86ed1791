/** What every HTTP listener of a process has: its address, its access control, and its limits on clients. */
package io.sluice.gateway.listener;
