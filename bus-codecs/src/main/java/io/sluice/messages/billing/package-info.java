/** What is billed of a VM. */
package io.sluice.messages.billing;
