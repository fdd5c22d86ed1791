package io.sluice.gateway.core;

import io.sluice.units.Resources;

/**
 * An amount as a request has it.
 *
 * @param milliCpu CPU in thousandths of a virtual CPU
 * @param memory memory in bytes, or in the VM's memory slots
 * @param inSlots whether memory counts slots: only old agents send that
 */
public record WireAmount(long milliCpu, long memory, boolean inSlots) {
    /**
     * Returns the amount in CPU thousandths and bytes.
     *
     * @throws ArithmeticException if the bytes are beyond 64 bits
     */
    Resources resources(long slotBytes) {
        return new Resources(milliCpu, inSlots ? Math.multiplyExact(memory, slotBytes) : memory);
    }
}
