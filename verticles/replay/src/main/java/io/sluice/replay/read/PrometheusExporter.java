package io.sluice.replay.read;

import io.sluice.units.ResourceKind;
import java.util.List;

/** What fills a Prometheus, with the queries of use and size for it. CPU is in CPUs, memory in bytes. */
public enum PrometheusExporter {
    /** Machines and VMs with node_exporter inside. */
    NODE(List.of(
            new Query(
                    ResourceKind.CPU,
                    List.of("instance"),
                    "sum by (instance) (rate(node_cpu_seconds_total{mode!~\"idle|iowait|steal\"}[5m]))",
                    "count by (instance) (node_cpu_seconds_total{mode=\"idle\"})"),
            new Query(
                    ResourceKind.MEMORY,
                    List.of("instance"),
                    "sum by (instance) (node_memory_MemTotal_bytes - node_memory_MemAvailable_bytes)",
                    "sum by (instance) (node_memory_MemTotal_bytes)"))),
    /** Pods, by the kubelet's cAdvisor, without their pause container; those without limits have no size. */
    CADVISOR(List.of(
            new Query(
                    ResourceKind.CPU,
                    List.of("namespace", "pod"),
                    "sum by (namespace, pod) (rate(container_cpu_usage_seconds_total{container!~\"|POD\"}[5m]))",
                    "sum by (namespace, pod) (container_spec_cpu_quota{container!~\"|POD\"}"
                            + " / container_spec_cpu_period{container!~\"|POD\"})"),
            new Query(
                    ResourceKind.MEMORY,
                    List.of("namespace", "pod"),
                    "sum by (namespace, pod) (container_memory_working_set_bytes{container!~\"|POD\"})",
                    "sum by (namespace, pod) (container_spec_memory_limit_bytes{container!~\"|POD\"} > 0)"))),
    /** VMs of KubeVirt. While one migrates, both nodes report it. */
    KUBEVIRT(List.of(
            new Query(
                    ResourceKind.CPU,
                    List.of("namespace", "name"),
                    "sum by (namespace, name) (rate(kubevirt_vmi_cpu_usage_seconds_total[5m]))",
                    "max by (namespace, name) (count by (namespace, name, node)"
                            + " (kubevirt_vmi_vcpu_seconds_total{state=\"running\"}))"),
            new Query(
                    ResourceKind.MEMORY,
                    List.of("namespace", "name"),
                    "max by (namespace, name) (kubevirt_vmi_memory_used_bytes)",
                    "max by (namespace, name) (kubevirt_vmi_memory_domain_bytes)")));

    /**
     * The queries of one resource.
     *
     * @param labels which labels name a VM
     * @param use what is in use
     * @param size what the VM has
     */
    record Query(ResourceKind kind, List<String> labels, String use, String size) {}

    private final List<Query> queries;

    PrometheusExporter(List<Query> queries) {
        this.queries = queries;
    }

    List<Query> queries() {
        return queries;
    }
}
