/** What a guest does at a moment: CPU it wants, load averages, memory in use. Pure functions of a plan and the time. */
package io.sluice.lab.load.core;
