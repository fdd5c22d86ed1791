/** Commands that ask a running process through its console door. */
package io.sluice.launcher.client;
