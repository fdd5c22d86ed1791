package io.sluice.lab.core;

import io.sluice.units.Resources;
import java.util.List;

/**
 * A node of the fleet.
 *
 * @param name its name
 * @param allocatable its total
 * @param vms the VMs on it
 * @param others requests of a pod there without a VM, in namespace {@code default}; zero for none
 */
public record LabNode(String name, Resources allocatable, List<LabVm> vms, Resources others) {
    public LabNode {
        vms = List.copyOf(vms);
    }
}
