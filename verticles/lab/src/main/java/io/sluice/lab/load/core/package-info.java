/** The load of a guest at a moment: CPU demand, load averages, used memory. Pure functions of a plan and the time. */
package io.sluice.lab.load.core;
