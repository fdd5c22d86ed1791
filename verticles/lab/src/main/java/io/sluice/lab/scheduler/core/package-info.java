/** What a scheduler concludes from the replies of its extender. */
package io.sluice.lab.scheduler.core;
