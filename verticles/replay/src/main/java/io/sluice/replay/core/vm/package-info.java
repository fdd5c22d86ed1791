/** One VM in virtual time: its demand, its guest's metrics, and the size that it gets. */
package io.sluice.replay.core.vm;
