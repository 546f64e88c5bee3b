declare module "words:*" {
  const messages: import("@lingui/core").Messages;
  export default messages;
}
