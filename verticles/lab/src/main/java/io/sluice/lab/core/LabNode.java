package io.sluice.lab.core;

import io.sluice.units.Resources;
import java.util.List;

/**
 * A node of the fleet.
 *
 * @param name its name
 * @param allocatable what it can give
 * @param vms what runs there
 * @param others requests of a pod there that runs no VM, in namespace {@code default}; zero for none
 */
public record LabNode(String name, Resources allocatable, List<LabVm> vms, Resources others) {
    public LabNode {
        vms = List.copyOf(vms);
    }
}
