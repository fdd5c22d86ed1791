/** Use over time: what VMs used becomes events, and nothing of it is lost on the way to whoever takes them. */
package io.sluice.billing;
