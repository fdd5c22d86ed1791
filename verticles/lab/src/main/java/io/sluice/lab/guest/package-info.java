/** The guests of the lab: metrics and monitors, on loopback addresses of their own. */
package io.sluice.lab.guest;
